FROM python:3.13-slim AS build
WORKDIR /srv/dunning
RUN pip install --no-cache-dir uv==0.13.9
COPY pyproject.toml uv.lock README.md LICENSE ./
RUN uv sync --locked --no-default-groups --no-install-project --no-cache
COPY domain domain
COPY application application
COPY adapters adapters
COPY entrypoints entrypoints
RUN uv sync --locked --no-default-groups --no-editable --no-cache

FROM python:3.13-slim
RUN useradd --create-home --uid 10001 dunning
COPY --from=build /srv/dunning/.venv /srv/dunning/.venv
USER dunning
WORKDIR /home/dunning
ENV PATH=/srv/dunning/.venv/bin:$PATH HOST=0.0.0.0 PYTHONUNBUFFERED=1
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/livez', timeout=2)"]
CMD ["dunning", "serve"]
