export const SHELL_TASK_TABS = {
  label: 'Shell tasks',
  tabs: [
    { id: 'tasks', href: '/shell-tasks', label: 'Tasks' },
    { id: 'rollouts', href: '/shell-tasks/rollouts', label: 'Rollouts' },
    { id: 'environments', href: '/shell-tasks/environments', label: 'Environments' },
  ],
} as const
