/** Statuses and deliveries follow what the user did within seconds. */
const hurryMs = 10_000;

let hurriesUntil = 0;

/** The user did something: for a short while the conversation is read often. */
export function hurry(): void {
  hurriesUntil = Date.now() + hurryMs;
}

/** How long until the conversation is read again. */
export const conversationPace = () => (Date.now() < hurriesUntil ? 1_500 : 5_000);
