export const ALL_TASKS = { href: '/arena/tasks', label: 'All tasks' }
