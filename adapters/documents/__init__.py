"""Documents for people, laid out as PDF by Typst from templates and fonts that are shipped here."""
