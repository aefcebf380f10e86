/** An edit that cannot be made exactly as asked: the message is for the model, nothing was changed. */

import { ZqError } from "../../../shared/errors";

export class EditRefused extends ZqError {
  constructor(message: string) {
    super("EditRefused", message);
    this.name = "EditRefused";
  }
}
