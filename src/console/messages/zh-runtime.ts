// Contains the Simplified Chinese sentences that the runtime writes into the log of a thread. Others stay untranslated.
// size: one table, one row per sentence.

export const zhRuntime: Readonly<Record<string, string>> = {
  "the action is allowed in this state": "这个状态允许这项操作",
  "a direct run may end here": "直接运行可以在这里结束",
  "this is the last step": "这是最后一步",
  "no completion is asserted": "没有声称完成",
  "the approved plan asks for no proof here": "批准的计划在这里不要求证据",
  "no receipt is needed to end here; delivered as unproven": "在这里结束不需要回执；按未证实交付",
  "the model insists that no receipt is needed; delivered as unproven": "模型坚持不需要回执；按未证实交付",
  "within budget": "在预算之内",
  "within budget, no repeat, not idle": "在预算之内，没有重复，没有空转",
  "Note: a change failed or was rejected, and was not made.": "注意：有一项更改失败或被拒绝，没有进行。",
  "Note: receipts show changes, but not for every step.": "注意：回执显示了更改，但不是每一步都有。",
  "Note: receipts show what was looked up; none shows a change.": "注意：回执显示查看过的内容，没有一条显示更改。",
  "Note: the only receipts are your own replies.": "注意：唯一的回执是您自己的回复。",
  "Note: nothing was recorded that proves this.": "注意：没有任何记录能证实这一点。",
  "Finished. Receipts show the changes.": "已完成。回执显示了更改。",
  "Finished. Receipts show what was looked up; nothing was changed.":
    "已完成。回执显示查看过的内容；没有更改任何内容。",
  "Finished. It rests on your replies; nothing was changed.": "已完成。依据是您的回复；没有更改任何内容。",
  "Finished, without any receipt to prove it.": "已完成，但没有回执可以证实。",
  "The run was cancelled.": "运行已取消。",
  "Changed before the run stopped:": "运行停止之前已更改：",
};
/** Labels by the code of a decision or of an input. */
export const zhActions: Readonly<Record<string, string>> = {
  plan_done: "计划",
  next_plan: "下一步",
  continue: "继续",
  confirm: "批准",
  ask_user: "提问",
  answer: "回答",
  done: "完成",
  abort: "中止",
  message: "消息",
  revoke: "撤销批准",
  resolve: "说明结果",
  tool_result: "工具结果",
  cancel: "取消",
  reset: "重置",
  resume: "恢复",
};
