/** A file that messages can name. */
export class UploadDto {
  /** Stands wherever a message takes a `link`; for every key of the account and mode. */
  media_id: string;

  /** One of the types that WhatsApp takes. */
  mime_type: string;

  /** In bytes. */
  size: number;

  /** Of the file, in lower-case hex. */
  sha256: string;

  /** 30 days after the upload. */
  expires_at: string;
}
