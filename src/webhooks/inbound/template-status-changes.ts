import type { EntityManager } from 'typeorm';
import type { TemplateChanged } from '#libs/whatsapp';
import type { Mode } from '../../api-keys/api-key.entity.js';

/** Takes what the platform says of templates: status, category, quality, components. */
export abstract class TemplateStatusChanges {
  /**
   * Applies a change in the transaction of its notification.
   * @param mode whose templates; null: live and test ones.
   * @returns the account's version where it was raised, for every process to be told of after the
   * commit; null where nothing changed.
   */
  abstract apply(
    manager: EntityManager,
    accountId: string,
    mode: Mode | null,
    change: TemplateChanged,
  ): Promise<number | null>;
}
