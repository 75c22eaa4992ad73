// Defines the demo model's sentences in English and Chinese. Other files decide which sentence to use.
import type { Language } from "./parse-request.ts";
import type { ListedTask, Place } from "./tasks.ts";

export type Phrases = typeof en;
/** The name of a phase, which is also the key of its plan step. */
export type PhaseName = keyof Phrases["steps"];

export const labelOf = (task: Pick<ListedTask, "id" | "name">): string => `[${task.id}] ${task.name}`;

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const span = ({ slot, end }: Place): string => (slot === end ? `slot ${slot}` : `slots ${slot}-${end}`);

const en = {
  about:
    "I am the built-in demo model and only understand requests about this calendar. To use a real model, see docs/how-to/configure-a-model.md.",
  capabilities:
    'I can show the calendar or a day, find free time, place, move, swap, spread out or clear tasks, and undo the last change. Try "Move the essay outline to Thursday of week 2".',
  greeting: "Hello!",
  welcome: "You are welcome.",
  misbehave_usage:
    "Add a request after it, and I will get that request wrong once: /misbehave garbage (or early-done, unconfirmed-write) move the essay outline to Thursday of week 2.",
  unknown: "I cannot help with that.",
  left_unchanged: "All right, I will leave everything as it is.",
  /** The plan itself is listed beside this sentence. */
  plan: "This is my plan. Shall I proceed?",
  steps: {
    overview: { content: "Look at the calendar", done_when: "the calendar was seen" },
    day: { content: "Look at the day", done_when: "the day was seen" },
    tasks: { content: "Look up the tasks", done_when: "it is clear which tasks are meant" },
    info: { content: "Look at the task", done_when: "its place is known" },
    measure: { content: "Measure how even the load is", done_when: "the measure is known" },
    find: { content: "Find a free place", done_when: "a free place is known" },
    move: { content: "Move the task there", done_when: "a receipt shows the new place" },
    place: { content: "Place the task there", done_when: "a receipt shows the place" },
    swap: { content: "Swap the two tasks", done_when: "a receipt shows both new places" },
    spread: { content: "Spread the tasks over the days", done_when: "a receipt shows the new places" },
    clear: { content: "Take it off the calendar", done_when: "a receipt shows that it is pending again" },
    undo: { content: "Take the last change back", done_when: "a receipt shows the old places" },
  },
  lookups: {
    overview: "Looking at the calendar.",
    day: "Looking at that day.",
    tasks: "Looking up the tasks.",
    info: "Looking at that task.",
    measure: "Measuring how even the schedule is.",
    find: "Looking for a free place.",
  },
  place: (place: Place) => `day ${place.day} (week ${place.week}, ${WEEKDAYS[place.weekday - 1]}) ${span(place)}`,
  day: ({ day, week, weekday }: Omit<Place, "slot" | "end">) => `day ${day} (week ${week}, ${WEEKDAYS[weekday - 1]})`,
  proposals: {
    move: (task: string, from: string, to: string) => `I would move ${task} from ${from} to ${to}.`,
    place: (task: string, to: string) => `I would place ${task} on ${to}.`,
    swap: (a: string, b: string) => `I would swap ${a} and ${b}.`,
    spread: (count: number) => `I would move ${count} tasks to spread the load evenly over the days.`,
    clear: (task: string) => `I would take ${task} off the calendar; it would then be pending again.`,
    undo: "I would undo the last change to this calendar.",
  },
  which_task: "Which task do you mean?",
  no_task: "I cannot find a task like that. Which one do you mean?",
  where_to: (task: string) => `Where should ${task} go?`,
  which_week: "Which week?",
  place_taken: "That place is taken. Where should it go instead?",
  no_room: "No free place matches that. Nothing was changed.",
  fixed: (task: string) => `${task} is a fixed entry and stays where it is. Nothing was changed.`,
  still_pending: (task: string) =>
    `${task} has no place yet, so it cannot be moved; ask me to place it. Nothing was changed.`,
  has_place: (task: string) => `${task} has a place already; ask me to move it. Nothing was changed.`,
  nothing_to_change: "There is nothing there to change. Nothing was changed.",
  no_such_day: "That day is not in the calendar.",
  other_dates: (first: string, last: string) =>
    `This calendar runs from ${first} to ${last}; instead, the same weekday of its first week:`,
  rejected: (reason: string) => `You said no${reason ? ` ("${reason}")` : ""}, so this was not done.`,
  expired: "Nobody confirmed it in time, so it was not done.",
  refused: (why: string) => `The calendar refused it: ${why}`,
  not_sure: "I still do not understand the request, so I am stopping here. Nothing was changed.",
  nothing_to_do: "No tool is needed for this.",
  nothing_seen: "I reported this as done, but nothing was looked up and nothing was changed.",
  unknown_plan: "The demo model does not know this plan. Nothing was changed.",
  missing_tool: (tool: string) => `That requires ${tool}, which is disabled here. Nothing was changed.`,
  check: (receipt: string) => `Receipt ${receipt} shows it.`,
  free: "Free places:",
  done: "Done:",
  not_done: "Not done:",
  earlier: (count: number) =>
    `Done earlier in this run: ${count === 1 ? "one change" : `${count} changes`}, with stored receipts.`,
};

const CHINESE_WEEKDAYS = "一二三四五六日";
const chineseSpan = ({ slot, end }: Place): string => (slot === end ? `第${slot}节` : `第${slot}-${end}节`);

const zh: Phrases = {
  about: "我是内置的演示模型:只认识这份日历。如何换成真正的模型,见 docs/how-to/configure-a-model.md。",
  capabilities:
    "我可以:查看日历或某一天、找空闲时间、安排、移动、交换、均匀分布或清除任务,以及撤销上一次修改。试试“把论文提纲移到第2周周四”。",
  greeting: "你好!",
  welcome: "不客气。",
  misbehave_usage:
    "请在后面写上一个愿望,我就会出一次错:/misbehave garbage(或 early-done、unconfirmed-write)把论文提纲移到第2周周四。",
  unknown: "这件事我帮不上忙。",
  left_unchanged: "好的,我什么都不动。",
  plan: "这是我的计划。可以开始吗?",
  steps: {
    overview: { content: "查看日历", done_when: "已看到日历" },
    day: { content: "查看那一天", done_when: "已看到那一天" },
    tasks: { content: "查一下任务", done_when: "已确定是哪些任务" },
    info: { content: "查看任务", done_when: "已知道它的位置" },
    measure: { content: "衡量负荷是否均匀", done_when: "已得到衡量结果" },
    find: { content: "找一个空位", done_when: "已知道一个空位" },
    move: { content: "把任务移过去", done_when: "回执显示新位置" },
    place: { content: "把任务放进去", done_when: "回执显示位置" },
    swap: { content: "交换两个任务", done_when: "回执显示两个新位置" },
    spread: { content: "把任务分散到各天", done_when: "回执显示新位置" },
    clear: { content: "从日历上拿掉", done_when: "回执显示它重新待安排" },
    undo: { content: "撤销上一次修改", done_when: "回执显示原来的位置" },
  },
  lookups: {
    overview: "我先看一下日历。",
    day: "我看一下那一天。",
    tasks: "我先查一下任务。",
    info: "我看一下这个任务。",
    measure: "我衡量一下日程。",
    find: "我找一个空位。",
  },
  place: (place) =>
    `第${place.day}天(第${place.week}周 周${CHINESE_WEEKDAYS[place.weekday - 1]}) ${chineseSpan(place)}`,
  day: ({ day, week, weekday }) => `第${day}天(第${week}周 周${CHINESE_WEEKDAYS[weekday - 1]})`,
  proposals: {
    move: (task, from, to) => `我准备把 ${task} 从${from}移到${to}。`,
    place: (task, to) => `我准备把 ${task} 安排在${to}。`,
    swap: (a, b) => `我准备交换 ${a} 和 ${b}。`,
    spread: (count) => `我准备给 ${count} 个任务换位置,让各天的负荷差不多。`,
    clear: (task) => `我准备把 ${task} 从日历上拿掉,它会变回待安排。`,
    undo: "我准备撤销这份日历的上一次修改。",
  },
  which_task: "您指的是哪个任务?",
  no_task: "我没有找到这样的任务。您指的是哪个?",
  where_to: (task) => `${task} 要放到哪里?`,
  which_week: "哪一周?",
  place_taken: "那个位置已被占用。换到哪里?",
  no_room: "没有这样的空位。什么都没有改动。",
  fixed: (task) => `${task} 是固定的,不能动。什么都没有改动。`,
  still_pending: (task) => `${task} 还没有位置,不能移动;可以让我安排它。什么都没有改动。`,
  has_place: (task) => `${task} 已经有位置了;可以让我移动它。什么都没有改动。`,
  nothing_to_change: "那里没有我能改动的内容。什么都没有改动。",
  no_such_day: "日历里没有那一天。",
  other_dates: (first, last) => `这个日历从 ${first} 到 ${last};这里显示第1周的同一个星期几:`,
  rejected: (reason) => `您拒绝了${reason ? `(“${reason}”)` : ""},所以这一项没有做。`,
  expired: "没有人及时确认,所以没有做。",
  refused: (why) => `日历拒绝了:${why}`,
  not_sure: "我还是不明白您的意思,先停在这里。什么都没有改动。",
  nothing_to_do: "这不需要任何工具。",
  nothing_seen: "我说已经完成了,但其实什么都没有查看,也什么都没有改动。",
  unknown_plan: "这个计划不是演示模型制定的。什么都没有改动。",
  missing_tool: (tool) => `这需要 ${tool},但它在这里被关闭了。什么都没有改动。`,
  check: (receipt) => `回执 ${receipt} 可以证明。`,
  free: "空位:",
  done: "完成:",
  not_done: "未完成:",
  earlier: (count) => `完成: 这次运行更早的 ${count} 处修改,回执都保存着。`,
};

export const phrasesIn = (language: Language): Phrases => (language === "zh" ? zh : en);
