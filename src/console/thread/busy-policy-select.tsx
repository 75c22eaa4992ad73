// Selects how a message affects a background run that is busy.
import type { FC } from "hono/jsx/dom";
import { BUSY_POLICIES, type BusyPolicy } from "../jobs/background-labels.ts";
import { t } from "../messages/messages.ts";
import { inputValue } from "../parts/events.ts";

type Props = { readonly policy: BusyPolicy; readonly onPolicy: (policy: BusyPolicy) => void };

export const BusyPolicySelect: FC<Props> = ({ policy, onPolicy }) => (
  <div class="busy-policy small">
    <label>
      {t().composer.whileBusy}{" "}
      <select
        name="if_busy"
        aria-describedby="busy-help"
        value={policy}
        onChange={(event: Event) => onPolicy(BUSY_POLICIES.find((one) => one === inputValue(event)) ?? "enqueue")}
      >
        {BUSY_POLICIES.map((one) => (
          <option key={one} value={one} selected={one === policy}>
            {t().composer.busy[one].label}
          </option>
        ))}
      </select>
    </label>
    <p id="busy-help" class="quiet busy-help">
      {t().composer.busy[policy].help}
    </p>
  </div>
);
