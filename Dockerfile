# The service in a container. Nobody runs this file when goldspan is tested; docs/deployment.md says
# how it is meant to be run: as its own user, with a read-only root, with one volume.
FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY engine engine
COPY adapters adapters
COPY plugin plugin
RUN python -m venv /opt/goldspan \
 && /opt/goldspan/bin/pip install --no-cache-dir --disable-pip-version-check -c constraints.txt ".[label-studio]"

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin goldspan \
 && install -d -o goldspan -g goldspan -m 0700 /data
COPY --from=build /opt/goldspan /opt/goldspan
# Compiled code goes to the volume: nothing else can be written to.
ENV PATH=/opt/goldspan/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 XDG_CACHE_HOME=/data/cache
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 9090
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9090/health', timeout=4)"]
ENTRYPOINT ["goldspan"]
CMD ["label-studio", "serve", "--host", "0.0.0.0", "--port", "9090", "--folder", "/data"]
