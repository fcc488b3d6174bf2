import { Module } from '@nestjs/common';
import { ContactReads } from './contact-reads.js';
import { ContactWindows } from './contact-windows.js';
import { ContactsController } from './contacts.controller.js';
import { ContactsService } from './contacts.service.js';

/** Contacts for callers. */
@Module({
  controllers: [ContactsController],
  providers: [ContactReads, ContactsService, ContactWindows],
  exports: [ContactReads, ContactWindows],
})
export class ContactsModule {}
