import { Module } from '@nestjs/common';
import { TemplateStoreModule } from './sync/template-store.module.js';
import { TemplateSyncs } from './sync/template-syncs.js';

/** The worker's side of templates: the periodic sync. */
@Module({ imports: [TemplateStoreModule], providers: [TemplateSyncs] })
export class TemplateSyncsModule {}
