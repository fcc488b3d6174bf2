import { Module } from '@nestjs/common';
import { ContactsModule } from '../contacts/contacts.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { TemplatesModule } from '../templates/templates.api.module.js';
import { UploadsModule } from '../uploads/uploads.api.module.js';
import { FreeFormMessages } from './free-form-messages.service.js';

/** Messages other than templates, and the templates that replace them. */
@Module({
  imports: [ContactsModule, MessagesModule, TemplatesModule, UploadsModule],
  providers: [FreeFormMessages],
  exports: [FreeFormMessages],
})
export class FreeFormModule {}
