"""What is sealed comes back unread and unchanged, for one purpose, or not at all."""

import json
import logging
import string
from collections.abc import Callable
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jwe
from joserfc.jwk import OctKey

from adapters.auth.seal_keys import SealingRing, base64url, from_base64url
from adapters.auth.sealing import JweSeal, SteadySeal
from domain.ports.sealing import ContentTooLongError, Seal

Kind = Callable[[SealingRing, str], Seal]

RING: Final = SealingRing.read([base64url(bytes(range(32)))])
PURPOSE: Final = "requestState"
CONTENT: Final = b'{"organization": "Col\xc3\xa9gio Aurora"}'
ALPHABET: Final = f"{string.ascii_uppercase}{string.ascii_lowercase}{string.digits}-_"
BOTH: Final = pytest.mark.parametrize("kind", [JweSeal, SteadySeal])
LONGEST: Final = [(JweSeal, 4_096), (SteadySeal, 6_144)]
JWE: Final = JweSeal(RING, PURPOSE)
STEADY: Final = SteadySeal(RING, PURPOSE)


@given(content=st.binary(max_size=2_000))
def test_what_was_sealed_comes_back(content: bytes) -> None:
    assert JWE.open(JWE.seal(content)) == content
    assert STEADY.open(STEADY.seal(content)) == content


@given(sealed=st.text() | st.text(alphabet=f"{ALPHABET}.", min_size=8))
def test_no_text_at_all_opens_or_fails(sealed: str) -> None:
    assert JWE.open(sealed) is None
    assert STEADY.open(sealed) is None


@BOTH
def test_a_text_that_no_encoding_knows_does_not_open(kind: Kind) -> None:
    assert kind(RING, PURPOSE).open("\ud800" * 100) is None


@BOTH
def test_what_is_sealed_goes_into_an_address_as_it_is_and_is_not_readable(kind: Kind) -> None:
    sealed = kind(RING, PURPOSE).seal(CONTENT)

    assert set(sealed) <= set(f"{ALPHABET}.")
    assert not any(b"Aurora" in from_base64url(part) for part in sealed.split("."))


@BOTH
def test_no_character_can_be_another(kind: Kind) -> None:
    seal = kind(RING, PURPOSE)
    sealed = seal.seal(CONTENT)
    for place, was in enumerate(sealed):
        # The first differs in the last bit, which at an end may stand for nothing.
        for other in (ALPHABET[ALPHABET.find(was) ^ 1], "A" if was != "A" else "B", ".", "=", "é"):
            changed = f"{sealed[:place]}{other}{sealed[place + 1 :]}"
            assert changed == sealed or seal.open(changed) is None


@BOTH
def test_no_unused_bit_at_an_end_can_be_set(kind: Kind) -> None:
    for length in range(3):
        seal = kind(RING, PURPOSE)
        sealed = seal.seal(bytes(length))
        parts = sealed.split(".")
        for index, part in enumerate(parts):
            for bit in range(6) if part else ():
                end = ALPHABET[ALPHABET.index(part[-1]) ^ (1 << bit)]
                assert (
                    seal.open(".".join([*parts[:index], part[:-1] + end, *parts[index + 1 :]]))
                    is None
                )


@BOTH
def test_what_is_cut_or_grown_does_not_open(kind: Kind) -> None:
    seal = kind(RING, PURPOSE)
    sealed = seal.seal(CONTENT)

    assert all(seal.open(sealed[:length]) is None for length in range(len(sealed)))
    assert all(seal.open(sealed[start:]) is None for start in range(1, len(sealed)))
    for more in ("A", "AA", "AAAA", "=", "==", " ", "\n", ".", "%3D"):
        assert seal.open(sealed + more) is None
        assert seal.open(more + sealed) is None
        assert seal.open(sealed[:20] + more + sealed[20:]) is None


@BOTH
def test_another_key_does_not_open(kind: Kind) -> None:
    sealed = kind(RING, PURPOSE).seal(CONTENT)

    assert kind(SealingRing.fresh(), PURPOSE).open(sealed) is None


@BOTH
@pytest.mark.parametrize("purpose", ["page session", "requeststate", "requestState ", ""])
def test_another_purpose_does_not_open(kind: Kind, purpose: str) -> None:
    sealed = kind(RING, PURPOSE).seal(CONTENT)

    assert kind(RING, purpose).open(sealed) is None


def test_one_kind_of_seal_does_not_open_the_other() -> None:
    assert STEADY.open(JWE.seal(CONTENT)) is None
    assert JWE.open(STEADY.seal(CONTENT)) is None


def test_no_derived_key_is_part_of_another() -> None:
    (key,) = RING.keys
    derived = [
        key.derived(algorithm, purpose, length)
        for algorithm, length in (("A256GCM", 32), ("AES-SIV", 64))
        for purpose in (PURPOSE, "page session")
    ]
    halves = [one[start : start + 32] for one in derived for start in range(0, len(one), 32)]

    assert len({*halves, key.secret}) == 7


@BOTH
def test_all_keys_open_in_every_order_while_a_key_is_rotated(kind: Kind) -> None:
    before = SealingRing.fresh()
    added = before.with_another()
    promoted = added.promoted()
    after = promoted.reduced()

    def opens(sealing: SealingRing, opening: SealingRing) -> bool:
        return kind(opening, PURPOSE).open(kind(sealing, PURPOSE).seal(CONTENT)) == CONTENT

    for one, other in ((before, added), (added, promoted), (promoted, after)):
        assert opens(one, other)
        assert opens(other, one)
    assert not opens(before, after)
    assert not opens(after, before)


def test_the_same_content_is_steadily_the_same_text_in_every_process() -> None:
    ring = RING.with_another()

    assert SteadySeal(RING, PURPOSE).seal(CONTENT) == SteadySeal(ring, PURPOSE).seal(CONTENT)
    assert SteadySeal(RING, PURPOSE).seal(CONTENT) != SteadySeal(RING, PURPOSE).seal(CONTENT[:-1])
    assert STEADY.seal(CONTENT).startswith(RING.first.id)


def test_a_jwe_is_never_the_same_twice() -> None:
    assert JWE.seal(CONTENT) != JWE.seal(CONTENT)


def test_a_jwe_says_its_algorithms_and_its_key_and_nothing_else() -> None:
    header, wrapped_key, *_ = JWE.seal(CONTENT).split(".")

    assert json.loads(from_base64url(header)) == {
        "alg": "dir",
        "enc": "A256GCM",
        "kid": RING.first.id,
    }
    assert wrapped_key == ""


@pytest.mark.parametrize(
    "changes",
    [
        {"zip": "DEF"},
        {"crit": ["exp"], "exp": 1},
        {"crit": []},
        {"typ": "JWT"},
        {"cty": "json"},
        {"jwk": {"kty": "oct", "k": "AAAA"}},
        {"kid": "AAAAAAAA"},
        {"kid": ["AAAAAAAA"]},
        {"kid": None},
        {"kid": ...},
        {"alg": "A256GCMKW"},
        {"alg": "A256KW"},
        {"enc": "A128CBC-HS256"},
    ],
)
def test_a_header_that_is_not_ours_does_not_open_even_under_our_key(
    changes: dict[str, Any],
) -> None:
    header = {"alg": "dir", "enc": "A256GCM", "kid": RING.first.id} | changes
    header = {name: value for name, value in header.items() if value is not ...}
    registry = jwe.JWERegistry(
        algorithms=["dir", "A256GCMKW", "A256KW", "A256GCM", "A128CBC-HS256", "DEF"],
        strict_check_header=False,
    )
    key = OctKey.import_key(RING.first.derived("A256GCM", PURPOSE, 32))
    try:
        sealed = jwe.encrypt_compact(header, CONTENT, key, registry=registry)
    except Exception:  # noqa: BLE001 -- the library makes no such header; then ours is put on top
        sealed = JWE.seal(CONTENT)
        sealed = f"{base64url(json.dumps(header).encode())}{sealed[sealed.index('.') :]}"

    assert JWE.open(sealed) is None


@pytest.mark.parametrize(
    "header",
    [
        {"alg": "none"},
        {"alg": "none", "enc": "none", "kid": RING.first.id},
        {"alg": "dir", "enc": "none", "kid": RING.first.id},
        {"alg": "RSA-OAEP", "enc": "A256GCM", "kid": RING.first.id},
        {"alg": "PBES2-HS256+A128KW", "enc": "A256GCM", "kid": RING.first.id, "p2c": 2**31 - 1},
        [],
        None,
    ],
)
def test_a_header_of_another_algorithm_does_not_open(header: object) -> None:
    _, *rest = JWE.seal(CONTENT).split(".")
    first = base64url(json.dumps(header).encode())

    assert JWE.open(".".join([first, *rest])) is None
    assert JWE.open(f"{first}.{base64url(CONTENT)}.") is None
    assert JWE.open(f"{first}....") is None


def test_deep_nesting_does_not_open() -> None:
    assert JWE.open(f"{base64url(b'[' * 700)}....") is None


@pytest.mark.parametrize(("kind", "longest"), LONGEST)
def test_what_could_not_be_opened_again_is_not_sealed(kind: Kind, longest: int) -> None:
    seal = kind(RING, PURPOSE)
    overhead = len(seal.seal(b""))
    most = (longest - overhead) * 3 // 4

    sealed = seal.seal(bytes(most))
    assert longest - 4 < len(sealed) <= longest
    assert seal.open(sealed) == bytes(most)
    with pytest.raises(ContentTooLongError):
        seal.seal(bytes(most + 3))


def genuine_jwe(content: bytes) -> str:
    header = {"alg": "dir", "enc": "A256GCM", "kid": RING.first.id}
    key = OctKey.import_key(RING.first.derived("A256GCM", PURPOSE, 32))
    return jwe.encrypt_compact(header, content, key, ["dir", "A256GCM"])


def genuine_steady(content: bytes) -> str:
    cipher = AESSIV(RING.first.derived("AES-SIV", PURPOSE, 64))
    return RING.first.id + base64url(cipher.encrypt(content, [PURPOSE.encode()]))


@pytest.mark.parametrize(
    ("seal", "genuine", "longest"), [(JWE, genuine_jwe, 4_096), (STEADY, genuine_steady, 6_144)]
)
def test_a_text_that_is_too_long_does_not_open_although_it_is_genuine(
    seal: Seal, genuine: Callable[[bytes], str], longest: int
) -> None:
    assert seal.open(genuine(CONTENT)) == CONTENT
    assert seal.open(genuine(bytes(longest))) is None


@BOTH
def test_why_something_does_not_open_is_told_to_a_debug_log_without_the_content(
    kind: Kind, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        assert kind(RING, PURPOSE).open("529.982.247-25") is None

    (record,) = caplog.records
    assert record.levelno == logging.DEBUG
    assert "529" not in record.getMessage()
    assert record.exc_info is None


def test_a_ring_shows_no_key() -> None:
    ring = RING.with_another()

    assert not any(text in f"{ring!r}{ring}{ring.keys[0]!r}" for text in ring.texts)
    assert "\\x" not in repr(ring)


def test_an_id_is_that_of_the_key_and_safe_in_an_address() -> None:
    ring = SealingRing.fresh().with_another().with_another()

    ids = [key.id for key in ring.keys]
    assert ids == [key.id for key in SealingRing.read(ring.texts).keys]
    assert len(set(ids)) == 3
    assert all(len(one) == 8 and set(one) <= set(ALPHABET) for one in ids)
