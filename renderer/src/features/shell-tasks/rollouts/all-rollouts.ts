export const ALL_ROLLOUTS = { href: '/shell-tasks/rollouts', label: 'All rollouts' }
