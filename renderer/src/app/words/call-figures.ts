/** Metrics of held-out calls at evaluations, by name. */
export const CALL_FIGURES = {
  eval_arg_f1: 'Argument F1',
  eval_exact_call: 'Exact calls',
  eval_tool_name: 'Right tool',
  eval_call_parse: 'Readable calls',
  eval_text_or_call: 'Correct choice of call or text',
  eval_stopped: 'Ended on their own',
} as const
