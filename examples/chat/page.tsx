/** @jsxImportSource react */
// A chat page with useChat of the AI SDK: answers, approvals, and a run that continues after the page is reloaded.
import { useChat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  type DynamicToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai";
import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";

type Saved = { readonly id: string; readonly messages: UIMessage[] };

const saved: Saved = JSON.parse(localStorage.getItem("chat") ?? "null") ?? { id: crypto.randomUUID(), messages: [] };

function Chat() {
  const [text, setText] = useState("");
  const { messages, status, error, sendMessage, addToolApprovalResponse } = useChat({
    ...saved,
    transport: new DefaultChatTransport({
      api: "/ai/chat",
      // Also fetches what arrived while the page was closed, even if the run has ended since.
      prepareReconnectToStreamRequest: ({ id }) => ({ api: `/ai/chat/${id}/stream?ended=true` }),
    }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    resume: true,
  });
  useEffect(() => {
    // The server repeats a response from its beginning, so an incomplete one is not stored.
    if (status !== "streaming") localStorage.setItem("chat", JSON.stringify({ id: saved.id, messages }));
  }, [messages, status]);
  return (
    <main>
      {messages.map((message) => (
        <article key={message.id} data-role={message.role}>
          {message.parts.map((part, i) => {
            const key = `${message.id}-${i}`;
            if (part.type === "text") return <p key={key}>{part.text}</p>;
            if (part.type !== "dynamic-tool") return null;
            return (
              <Call key={key} part={part} answer={(id, approved) => void addToolApprovalResponse({ id, approved })} />
            );
          })}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void sendMessage({ text });
          setText("");
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        <button type="submit">Send</button>
        <output>{status}</output>
      </form>
    </main>
  );
}

type CallProps = {
  readonly part: DynamicToolUIPart;
  readonly answer: (id: string, approved: boolean) => void;
};

function Call({ part, answer }: CallProps) {
  return (
    <section>
      <code>
        {part.toolName} {JSON.stringify(part.input)} {part.state}
      </code>
      {part.state === "approval-requested" && (
        <>
          <button type="button" onClick={() => answer(part.approval.id, true)}>
            Approve
          </button>
          <button type="button" onClick={() => answer(part.approval.id, false)}>
            Reject
          </button>
        </>
      )}
    </section>
  );
}

const root = document.getElementById("root");
if (root) createRoot(root).render(<Chat />);
