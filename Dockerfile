# Tessera as a service: docs/operations.md.
FROM node:24-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ make python3
WORKDIR /tessera
# Where the prebuilt better-sqlite3 cannot be downloaded it is compiled, against the headers that come with Node.
ENV npm_config_nodedir=/usr/local
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
# onnxruntime brings its libraries for every system: 220 MB that Linux does not load.
RUN npm prune --omit=dev && rm -r node_modules/onnxruntime-node/bin/napi-v6/darwin node_modules/onnxruntime-node/bin/napi-v6/win32

FROM node:24-bookworm-slim
WORKDIR /tessera
COPY --from=build /tessera/package.json /tessera/LICENSE /tessera/NOTICE ./
COPY --from=build /tessera/node_modules node_modules
COPY --from=build /tessera/migrations migrations
COPY --from=build /tessera/models models
COPY --from=build /tessera/prompts prompts
COPY --from=build /tessera/dist dist
RUN chmod +x dist/cli.js && ln -s /tessera/dist/cli.js /usr/local/bin/tessera && install -d -o node -g node /data
# HOST is heeded once there is a key: before that only the container itself is served. Two arenas, as many threads would each keep what they free.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 HOST=0.0.0.0 TESSERA_DB=/data/tessera.sqlite
USER node
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD node -e "fetch('http://127.0.0.1:' + (process.env.PORT || 8787) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
ENTRYPOINT ["tessera"]
CMD ["serve"]
