import type { EntityManager } from 'typeorm';
import type { TemplateChanged } from '#libs/whatsapp';
import type { Mode } from '../access/mode.js';

/** What a notification says of an account's templates. */
export interface TemplateNotice {
  readonly accountId: string;
  /** Whose templates; null: live and test ones. */
  readonly mode: Mode | null;
  /**
   * Null: the same was reported before. It may still be news, for these notifications have no id
   * and tell the time in seconds, so two changes can read as one.
   */
  readonly change: TemplateChanged | null;
}

/** Takes what the platform says of templates: status, category, quality, components. */
export abstract class TemplateStatusChanges {
  /**
   * Applies changes in the transaction of their notifications.
   * @returns the accounts whose version was raised, of which every process is notified after the commit.
   */
  abstract apply(
    manager: EntityManager,
    notices: readonly TemplateNotice[],
  ): Promise<ReadonlyMap<string, number>>;
}
