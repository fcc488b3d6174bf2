# One image for the API and the worker, configured by the environment only (see .env.example).
#   API:        docker run … parley
#   worker:     docker run … parley node dist/src/worker.js
#   migrations: docker run … parley node dist/src/migrate.js   (once, before a new version)
# With --build-arg VERSION=… and SOURCE=…, the address of the repository, the labels say what is in it.
# Sends get 20 s to finish: stop containers with a grace period of 45 s. Node is no init:
# run it with --init, or `init: true` in Compose; Kubernetes needs neither.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
# What runs: the bundled programs and the files that they read, with no package that is in a bundle.
RUN npm run build && node scripts/payload.mjs /payload

FROM node:24-slim
ARG SOURCE=""
ARG VERSION=""
LABEL org.opencontainers.image.title="Parley" \
  org.opencontainers.image.description="Self-hosted API for business messaging over WhatsApp: never loses a message, never sends one twice." \
  org.opencontainers.image.licenses="LicenseRef-UNLICENSED" \
  org.opencontainers.image.source="$SOURCE" \
  org.opencontainers.image.version="$VERSION"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WORKER_PORT=3001
WORKDIR /app
COPY --from=build /payload ./
USER node
EXPOSE 3000 3001
STOPSIGNAL SIGTERM
# Whichever of the two runs here answers on its own port.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "Promise.any([process.env.PORT, process.env.WORKER_PORT].map(async (port) => { const { ok } = await fetch(`http://127.0.0.1:${port}/health/ready`); if (!ok) throw 0; })).catch(() => process.exit(1))"]
CMD ["node", "dist/src/main.js"]
