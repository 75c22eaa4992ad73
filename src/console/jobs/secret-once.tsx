// Shows values that the server never shows again, each with a button to copy it.
import type { FC } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import { Button } from "../parts/components.tsx";
import { copyText } from "../parts/copy-text.ts";

type Props = { readonly values: readonly (readonly [label: string, value: string])[]; readonly onDone: () => void };

export const SecretOnce: FC<Props> = ({ values, onDone }) => (
  <div class="secret-once" role="status">
    <p>{t().webhooks.form.once}</p>
    {values.map(([label, value]) => (
      <p key={label} class="row">
        <span class="quiet small">{label}</span> <code>{value}</code>
        <Button class="small" onClick={() => void copyText(value)}>
          {t().common.copy}
        </Button>
      </p>
    ))}
    <Button onClick={onDone}>{t().webhooks.form.saved}</Button>
  </div>
);
