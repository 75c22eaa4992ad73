// Defines the demo model's sentences about calendars, in English and Chinese.
export type EventPhrases = (typeof PHRASES)["en"];

const PHRASES = {
  en: {
    capabilities:
      "I can show events, find free time, create, move, change, swap and cancel events, plan blocks of work, set reminders, check for conflicts and undo the last change.",
    about: "I am the offline demo model and understand simple sentences only; connect a real model for more.",
    look: { content: "Look at the calendar", done_when: "the events are seen" },
    change: { content: "Make the change", done_when: "the calendar is changed" },
    plan: "I will look at the calendar first, and ask before I change anything.",
    looking: "Looking at the calendar.",
    proposing: "This is what I would change.",
    no_event: "I found no event with that name. Nothing was changed.",
    no_title: "I did not understand what to create. Nothing was changed.",
    no_place: "I did not understand where. Nothing was changed.",
    no_time: "I did not understand when. Nothing was changed.",
    left: "Nothing was changed.",
    not_understood: (words: string) =>
      `I did not understand "${words}" in this request. Nothing was changed. Please rephrase it.`,
    one_at_a_time:
      "I could not separate the requests in this message. Nothing was changed. Please send them one at a time.",
    which: "Which event do you mean? Nothing was changed. Please give its name and day.",
    no_rule: "I cannot create an event that repeats like this. Nothing was changed.",
    partly: "The earlier parts are done, but this one is not:",
    no_remind: "I cannot set reminders here; use a schedule (POST /v1/schedules) or the reminder_min of an event.",
    not_done: "It was not done. ",
    done: "Done. ",
    unknown: "I cannot help with that: I only work on this calendar.",
    check: "the calendar shows it",
  },
  zh: {
    capabilities:
      "我可以查看日程、查找空闲时间、新建、移动、修改、交换和取消日程，安排多段工作时间，设置提醒，检查冲突，以及撤销上一次更改。",
    about: "我是离线演示模型，只能理解简单的句子；需要更多请连接真正的模型。",
    look: { content: "查看日历", done_when: "已看到日程" },
    change: { content: "进行更改", done_when: "日历已更改" },
    plan: "我先查看日历，更改之前会先征求您的同意。",
    looking: "正在查看日历。",
    proposing: "这是我打算做的更改。",
    no_event: "没有找到这个名称的日程。没有更改任何内容。",
    no_title: "我没有听懂要新建什么。没有更改任何内容。",
    no_place: "我没有听懂地点。没有更改任何内容。",
    no_time: "我没有听懂时间。没有更改任何内容。",
    left: "没有更改任何内容。",
    not_understood: (words: string) => `我没有听懂其中的“${words}”。没有更改任何内容。请换一种说法。`,
    one_at_a_time: "这里有几个愿望，我分不清楚。没有更改任何内容。请一次说一件事。",
    which: "您指的是哪个日程？没有更改任何内容。请说出名称和日期。",
    no_rule: "我不能设置这种重复。没有更改任何内容。",
    partly: "之前说的已完成，但这一项没有完成：",
    no_remind: "我在这里不能自己设置提醒；可以使用计划任务（POST /v1/schedules）或日程的 reminder_min。",
    not_done: "没有完成。",
    done: "完成。",
    unknown: "这件事我做不到：我只处理这个日历。",
    check: "日历可以证明",
  },
};

export const eventPhrases = (language: "en" | "zh"): EventPhrases => PHRASES[language];
