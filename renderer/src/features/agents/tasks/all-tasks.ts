export const ALL_TASKS = { href: '/agents', label: 'All tasks' }
