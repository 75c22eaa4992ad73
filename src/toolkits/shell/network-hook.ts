// Requires approval for commands that need the network. A sandboxed command has no network without it.
import type { Hook } from "../../tools/hooks.ts";

/** Asks for approval if the argument `network` is set to anything but false. */
export const networkApproval = (filter_names: readonly string[] = ["bash"]): Hook => ({
  name: "network_approval",
  hook_type: "PRE_TOOL_USE",
  filter_names,
  handler: ({ arguments: { network } }) =>
    network === undefined || network === false
      ? { action: "ALLOW" }
      : { action: "ASK", code: "risk", reason: "The command gets access to the network, this server included." },
});
