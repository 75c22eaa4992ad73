// Defines the channels toolkit, which sends text messages to people through desktop workers, webhooks and e-mail.
import { defineToolkit } from "../../tools/toolkit.ts";
import { createDesktopQueue } from "./desktop-queue.ts";
import { desktopRoutes } from "./routes.ts";
import { type ChannelParts, sendText } from "./send-text.ts";

export const channels = defineToolkit({
  name: "channels",
  parts: ["channels", "documents"],
  offered: "on request",
  tools: ({ channels: settings, documents, clock, triggers }) => {
    const parts: ChannelParts = {
      channels: settings,
      queue: createDesktopQueue(documents),
      clock,
      ...(triggers ? { triggers } : {}),
    };
    return [sendText(parts), sendText(parts, "weixin_send_text", "weixin_desktop")];
  },
  routes: ({ documents }) => desktopRoutes(createDesktopQueue(documents)),
});
