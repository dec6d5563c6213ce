/** The cards of the sandbox and what each does. */
export const sandboxCards = {
  succeeds: '4242 4242 4242 4242',
  declines: '4000 0000 0000 0002',
  pending: '4000 0000 0000 0259',
} as const;
