/** Every BullMQ queue. Jobs carry ids and nothing else; the rows are the truth. */
export const queueNames = {
  sends: 'sends',
  notifications: 'notifications',
} as const;

/** Defaults of every job: a hint that failed is not tried again, and a finished one is not kept. */
export const hintJobOptions = {
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: true,
} as const;
