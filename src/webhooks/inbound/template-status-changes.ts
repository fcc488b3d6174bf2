import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { TemplateChanged } from '#libs/whatsapp';
import type { Mode } from '../../api-keys/api-key.entity.js';

/** Takes what the platform says of templates: status, category, quality, components. */
export abstract class TemplateStatusChanges {
  /**
   * Applies a change in the transaction of its notification.
   * @param mode whose templates; null: live and test ones.
   */
  abstract apply(
    manager: EntityManager,
    accountId: string,
    mode: Mode | null,
    change: TemplateChanged,
  ): Promise<void>;
}

/** For processes that keep no templates. */
@Injectable()
export class NoTemplates extends TemplateStatusChanges {
  override async apply(): Promise<void> {}
}
