/**
 * Why a worker is offered a message, in the order in which they are claimed: a caller waits for it; a hint named it; it
 * was found without a hint; or it was scheduled or belongs to a campaign, and single messages go first.
 */
export const offerKinds = ['waiting', 'background', 'found', 'late'] as const;

export type OfferKind = (typeof offerKinds)[number];

/** A message that this worker may claim. */
export interface Offer {
  readonly id: string;
  readonly kind: OfferKind;
  /** The store's clock when it was found; null for one that was named. */
  readonly seenAt: string | null;
}
