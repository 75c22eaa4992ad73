// Says plainly that the built-in model answers, and how to use a real one.
import type { FC } from "hono/jsx/dom";
import type { About } from "../client/api.ts";
import { Code, Disclosure } from "../parts/components.tsx";

export const DemoBanner: FC<{ about: About | null }> = ({ about }) =>
  about?.demo ? (
    <div class="banner" role="note">
      <Disclosure
        label={
          <span>
            <strong>Demo model.</strong> No real model is configured: a built-in one answers, and it knows nothing but
            the scheduling examples. <span class="link">Use a real one</span>
          </span>
        }
      >
        {() => (
          <>
            <p>Stop the server, name a model of any provider that speaks chat completions, and start again:</p>
            <Code>{"export OPENAI_API_KEY=…\nexport PAWL_MODEL=…\nnpm start"}</Code>
            <p class="quiet small">
              OPENAI_BASE_URL points to another provider or a server of your own. Your threads stay where they are.
            </p>
          </>
        )}
      </Disclosure>
    </div>
  ) : null;
