"""A person's browser: headless Chromium, told what to click."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import presence_of_element_located
from selenium.webdriver.support.ui import WebDriverWait

from domain.ports.issuer import DemoPerson
from tests.e2e.programs import program

_LONGEST = 15
_SWITCHES = (
    "--headless",
    # Nothing but our own pages is opened; as root there is no sandbox.
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    # It would look for its vendor's hosts.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


class Chromium:
    """One window. What it complained about, refused or could not load is in `complaints`."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self._driver = driver

    def open(self, address: str) -> None:
        self._driver.get(address)

    @property
    def address(self) -> str:
        return self._driver.current_url

    @property
    def language(self) -> str | None:
        """The language that the page says it is in."""
        return self.find("html").get_attribute("lang")

    @property
    def text(self) -> str:
        """What the person reads."""
        return self.find("main").text

    @property
    def complaints(self) -> list[str]:
        said = self._driver.get_log("browser")  # type: ignore[no-untyped-call]  # Selenium's
        return [str(line["message"]) for line in said]

    def find(self, selector: str) -> WebElement:
        """The element, as soon as the page has it."""
        found = presence_of_element_located((By.CSS_SELECTOR, selector))
        return WebDriverWait(self._driver, _LONGEST).until(found)

    def press(self, action: str) -> None:
        """Press the button of this action."""
        self.find(f'button[name="action"][value="{action}"]').click()

    def sign_in(self, person: DemoPerson) -> None:
        """Choose the person at the embedded issuer and let the page know who they are."""
        key = f"{person.organization_id} {person.subject}"
        self.find(f'label:has(input[name="person"][value="{key}"])').click()
        self.press("allow")


@contextmanager
def chromium(profile: Path) -> Generator[Chromium]:
    """A browser with a `profile` of its own while the block runs."""
    options = Options()
    options.binary_location = program("chromium", "chromium")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for switch in (*_SWITCHES, f"--user-data-dir={profile}"):
        options.add_argument(switch)
    driver = webdriver.Chrome(options, Driver(program("chromedriver", "chromium-driver")))
    try:
        yield Chromium(driver)
    finally:
        driver.quit()
