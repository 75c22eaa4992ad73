// Entry point of the console.
import { render } from "hono/jsx/dom";
import { takeToken } from "../client/take-token.ts";
import { App } from "./app.tsx";
import { syncRouteWithLocation } from "./route.ts";
import { applyTheme } from "./theme-button.tsx";

applyTheme();
await takeToken();
syncRouteWithLocation();
const root = document.getElementById("app");
if (root) render(<App />, root);
