// Marks text as written by an agent.
import type { ChannelSettings } from "../../ports/data/channel-settings.ts";

/** Word joiners and zero-width spaces, which are invisible to people but can be detected by a program. */
const ZERO_WIDTH = "\u2060\u200b\u2060\u200b\u200b\u2060";

export function withWatermark(
  text: string,
  { watermark, suffix }: Pick<ChannelSettings, "watermark" | "suffix">,
): string {
  switch (watermark) {
    case "none":
      return text;
    case "suffix":
      return `${text}${suffix}`;
    case "zero-width":
      return `${text}${ZERO_WIDTH}`;
  }
}
