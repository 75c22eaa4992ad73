// The Node host: `npm start`. Reads the configuration, opens the data folder, serves HTTP until it is told to stop.
import { serve } from "@hono/node-server";
import { createApp } from "../http/app.ts";
import { createHub } from "../http/hub.ts";
import { createRateLimit } from "../http/rate-limit.ts";
import { createAccess } from "./access.ts";
import { loadConfig } from "./config.ts";
import { createEmbedded } from "./embedded.ts";
import { createLog } from "./log.ts";

const config = await loadConfig(process.cwd(), process.env);
if (!config.ok) {
  console.error(`${config.problem.message}\n${config.problem.hint}`);
  process.exit(1);
}
const embedded = await createEmbedded(config.value, process.env);
if (!embedded.ok) {
  console.error(`${embedded.problem.message}\n${embedded.problem.hint}`);
  process.exit(1);
}
const access = createAccess(config.value, process.env);
if (!access.ok) {
  console.error(`${access.problem.message}\n${access.problem.hint}`);
  process.exit(1);
}
const { rt, file, model, close } = embedded.value;
const app = createApp({
  rt,
  hub: createHub(),
  ...access.value,
  cors_origins: config.value.cors.origins,
  limits: { max_turns: config.value.limits.max_turns },
  rate_limit: createRateLimit(config.value.limits.requests_per_minute),
  log: createLog(config.value.log.level),
  release: "0.1.0",
});
const server = serve({ fetch: app.fetch, hostname: config.value.host, port: config.value.port }, (info) => {
  const url = `http://${config.value.host}:${info.port}`;
  console.log(
    `Pawl listens on ${url}\n  data   ${file}\n  model  ${model}\n\n  curl -s ${url}/v1/threads -H 'content-type: application/json' -d '{"goal":"Say hello"}'`,
  );
});
const stop = (): void => {
  server.close(() => void close().then(() => process.exit(0)));
};
process.on("SIGTERM", stop);
process.on("SIGINT", stop);
