// Requires approval for commands that need the network. Without that approval, a sandbox has no network.
import type { Hook } from "../../tools/hooks.ts";

/** Checks the argument `network`. */
export const networkApproval = (filter_names: readonly string[] = ["bash"]): Hook => ({
  name: "network_approval",
  hook_type: "PRE_TOOL_USE",
  filter_names,
  handler: ({ arguments: { network } }) =>
    network === undefined || network === false
      ? { action: "ALLOW" }
      : { action: "ASK", code: "risk", reason: "The command gets access to the network, this server included." },
});
