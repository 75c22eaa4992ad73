// Tells the user that the demo model is active, and how to configure a real one.
import type { FC } from "hono/jsx/dom";
import type { About } from "../client/api.ts";
import { Code, Disclosure } from "../parts/components.tsx";

export const DemoBanner: FC<{ about: About | null }> = ({ about }) =>
  about?.demo ? (
    <div class="banner" role="note">
      <Disclosure
        label={
          <span>
            <strong>Demo model.</strong> No real model is configured. The built-in one only knows the scheduling
            examples. <span class="link">Use a real model</span>
          </span>
        }
      >
        {() => (
          <>
            <p>Stop the server, set a model of any provider with a chat completions API, and start it again:</p>
            <Code>{"export OPENAI_API_KEY=…\nexport PAWL_MODEL=…\nnpm start"}</Code>
            <p class="quiet small">
              Set OPENAI_BASE_URL to use another provider or your own server. Your threads are kept.
            </p>
          </>
        )}
      </Disclosure>
    </div>
  ) : null;
