// The entry point of the console.
import { render } from "hono/jsx/dom";
import { redeemToken } from "../client/redeem-token.ts";
import { applyLanguage } from "../messages/messages.ts";
import { keepFocus } from "../parts/keep-focus.ts";
import { App } from "./app.tsx";
import { syncRouteWithLocation } from "./route.ts";
import { applyTheme } from "./theme-button.tsx";

applyTheme();
await Promise.all([applyLanguage(), redeemToken()]);
syncRouteWithLocation();
const root = document.getElementById("app");
if (root) {
  keepFocus(root);
  render(<App />, root);
}
