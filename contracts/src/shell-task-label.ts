/** Label of a sandbox that a user opened to solve a shell task by hand. The label's value is the task id. */
export const SHELL_TASK_LABEL = 'shell-task'
