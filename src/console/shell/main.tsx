// Entry point of the console.
import { render } from "hono/jsx/dom";
import { redeemToken } from "../client/redeem-token.ts";
import { applyLanguage } from "../messages/messages.ts";
import { App } from "./app.tsx";
import { syncRouteWithLocation } from "./route.ts";
import { applyTheme } from "./theme-button.tsx";

applyTheme();
applyLanguage();
await redeemToken();
syncRouteWithLocation();
const root = document.getElementById("app");
if (root) render(<App />, root);
