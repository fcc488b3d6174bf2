/**
 * Why a worker is offered a message, in the order in which they are claimed: a caller waits for it; a hint named it; it
 * was found without a hint; it was scheduled; or it belongs to a campaign.
 */
export const offerKinds = ['waiting', 'background', 'found', 'scheduled', 'campaign'] as const;

export type OfferKind = (typeof offerKinds)[number];

/** A message that this worker may claim. */
export interface Offer {
  readonly id: string;
  readonly kind: OfferKind;
  /** The store's clock when it was found; null for one that was named. */
  readonly seenAt: string | null;
}
