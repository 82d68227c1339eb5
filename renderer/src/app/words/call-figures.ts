/** Metrics of held-out calls at evaluations, by name. */
export const CALL_FIGURES = {
  eval_arg_f1: 'Argument F1',
  eval_exact_call: 'Exact calls',
  eval_tool_name: 'Right tool',
  eval_call_parse: 'Readable calls',
  eval_text_or_call: 'Call or text chosen rightly',
  eval_stopped: 'Ended by themselves',
} as const
