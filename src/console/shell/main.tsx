// Where the page begins.
import { render } from "hono/jsx/dom";
import { App } from "./app.tsx";
import { syncRouteWithLocation } from "./route.ts";
import { applyTheme } from "./theme-button.tsx";

applyTheme();
syncRouteWithLocation();
const root = document.getElementById("app");
if (root) render(<App />, root);
