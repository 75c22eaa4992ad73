// Shows a collapsed form that changes a schedule or a webhook. It closes when the stored values have changed.
import type { Child, FC } from "hono/jsx/dom";
import { t } from "../messages/messages.ts";
import { Disclosure } from "../parts/components.tsx";

type Props = {
  readonly name: string;
  /** The version of the stored values. A new one closes the form. */
  readonly version: string;
  readonly children: () => Child;
};

export const EditSection: FC<Props> = ({ name, version, children }) => (
  <Disclosure
    key={version}
    class="edit-form"
    label={
      <>
        {t().common.edit}
        <span class="sr-only">: {name}</span>
      </>
    }
  >
    {children}
  </Disclosure>
);
