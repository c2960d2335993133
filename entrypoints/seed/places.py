"""Where the debtors live: towns that exist, streets that do not."""

from dataclasses import dataclass
from typing import Final

from domain.dunning.addresses import Address
from entrypoints.seed.fixed import draws

_STREETS: Final = (
    "Rua das Acácias",
    "Rua dos Ipês-Amarelos",
    "Rua do Sabiá",
    "Travessa da Figueira",
    "Rua da Lua Cheia",
    "Alameda dos Girassóis",
    "Rua do Moinho Velho",
    "Avenida das Andorinhas",
)
_HOUSES: Final = range(10, 1_990)


@dataclass(frozen=True, slots=True)
class Town:
    """A town with one of its districts; `zipcode` is eight digits, `ddd` the area code."""

    city: str
    uf: str
    district: str
    zipcode: str
    ddd: str


SAO_PAULO: Final = Town("São Paulo", "SP", "Vila Clara", "04000200", "11")
CAMPINAS: Final = Town("Campinas", "SP", "Jardim das Flores", "13000300", "19")
OSASCO: Final = Town("Osasco", "SP", "Vila Nova", "06000400", "11")
BELO_HORIZONTE: Final = Town("Belo Horizonte", "MG", "Bairro das Serras", "30000500", "31")
NITEROI: Final = Town("Niterói", "RJ", "Praia Mansa", "24000600", "21")
CURITIBA: Final = Town("Curitiba", "PR", "Pinheiral", "80000700", "41")
PORTO_ALEGRE: Final = Town("Porto Alegre", "RS", "Zona Norte", "91000800", "51")
CAXIAS: Final = Town("Caxias do Sul", "RS", "Parreiral", "95000900", "54")
PELOTAS: Final = Town("Pelotas", "RS", "Laranjal", "96000150", "53")


def address_in(town: Town, name: str) -> Address:
    """The address in `town` of whoever is called `name`."""
    draw = draws(f"{name}/address")
    return Address(
        street=draw.choice(_STREETS),
        number=str(draw.choice(_HOUSES)),
        district=town.district,
        city=town.city,
        uf=town.uf,
        zipcode=town.zipcode,
    )
