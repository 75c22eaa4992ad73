// Tells the user that the demo model is active, and how to configure a real one.
import type { FC } from "hono/jsx/dom";
import type { About } from "../client/api.ts";
import { t } from "../messages/messages.ts";
import { Code, Disclosure } from "../parts/components.tsx";

export const DemoBanner: FC<{ about: About | null }> = ({ about }) =>
  about?.demo ? (
    <div class="banner" role="note">
      <Disclosure
        label={
          <span>
            <strong>{t().demo.name}</strong> <span class="banner-text">{t().demo.text}</span>{" "}
            <span class="link">{t().demo.link}</span>
          </span>
        }
      >
        {() => (
          <>
            <p>{t().demo.steps}</p>
            <Code>{t().demo.commands}</Code>
            <p class="quiet small">{t().demo.note}</p>
          </>
        )}
      </Disclosure>
    </div>
  ) : null;
