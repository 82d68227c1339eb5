/** The label of a sandbox that was opened to solve a shell task by hand; its value is the id of the task. */
export const SHELL_TASK_LABEL = 'shell-task'
