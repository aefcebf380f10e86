import { cli } from "./cli";
import { demo } from "./demo";
import { errors } from "./errors";
import { ui } from "./ui";

export const ja = { cli, demo, errors, ui };
