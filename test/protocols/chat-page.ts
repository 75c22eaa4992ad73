// Implements a chat page of the AI SDK without a framework: its own chat and transport, and the state that a page
// keeps.

// biome-ignore lint/suspicious/noExplicitAny: three versions of the same library
type Any = any;

const createState = (messages: Any[]) => ({
  status: "ready",
  error: undefined as Error | undefined,
  messages,
  pushMessage(message: Any) {
    this.messages = [...this.messages, message];
  },
  popMessage() {
    this.messages = this.messages.slice(0, -1);
  },
  replaceMessage(index: number, message: Any) {
    this.messages = this.messages.with(index, message);
  },
  snapshot: <T>(thing: T): T => structuredClone(thing),
});

/** Connects a chat. `transport` contains options of the SDK's own transport, and `chat` those of its chat. */
export function connectChat(sdk: Any, transport: object, messages: Any[] = [], chat: object = {}) {
  class Chat extends (sdk.AbstractChat as new (init: Any) => Any) {}
  const state = createState(messages);
  const page: Any = new Chat({
    id: "chat-1",
    state,
    transport: new sdk.DefaultChatTransport(transport),
    generateId: () => `m${state.messages.length}`,
    ...chat,
  });
  const last = () => {
    if (state.error) throw state.error;
    return state.messages.at(-1);
  };
  const say = async (text: string) => {
    await page.sendMessage({ text });
    return last();
  };
  return { chat: page, state, say, last };
}
