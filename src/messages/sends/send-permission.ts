import type { Permission } from '../../access/permissions.js';
import type { MessageType } from '../message.js';

const ownPermissions: Readonly<Partial<Record<MessageType, Permission>>> = {
  media: 'send_media',
  template: 'send_template',
};

/** What a key needs to send messages of this type. */
export function sendPermissionOf(type: MessageType): Permission {
  return ownPermissions[type] ?? 'send_text';
}
