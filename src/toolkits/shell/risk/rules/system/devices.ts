// Judges commands for disks, partitions, mounts and kernel modules. Listing is allowed; any other use needs approval or
// is blocked.
import { NONE, type Rule, type RuleTable, type SimpleCommand } from "../../model.ts";
import { anyWord, has, hasWord, readOptions, wordAt, wordsOf } from "../../parse/options.ts";
import { isDevice, isDisk, isStreamDevice } from "../../parse/paths.ts";
import type { RiskCode } from "../../reasons.ts";
import { always, askUnlessFirst } from "../conditions.ts";
import { writeRisks } from "../files/redirects.ts";

const dd: Rule = (command) =>
  command.args.flatMap((arg): readonly RiskCode[] => {
    if (!/^of=/i.test(arg.value)) return NONE;
    const path = arg.value.slice(3);
    return isStreamDevice(path) ? NONE : writeRisks({ ...arg, value: path }, false);
  });

/** Judges mkfs, wipefs and similar programs. They are blocked on a device and need approval on an image file. */
const formats = (command: SimpleCommand): readonly RiskCode[] => {
  if (command.args.some((arg) => isDevice(arg.value) || isDisk(arg.value))) return ["disk_format"];
  return command.args.length === 0 ? NONE : ["raw_device"];
};

const wipe: Rule = (command) =>
  has(readOptions(command.args, "o t p"), "a all o offset f force") ? formats(command) : NONE;

const cryptsetup: Rule = (command) => {
  const verb = readOptions(command.args, "c s h d type cipher key-file").operands[0]?.value.toLowerCase() ?? "";
  if (/^(?:luksformat|erase|lukserase|lukskillslot|luksremovekey|reencrypt)$/.test(verb)) return ["disk_format"];
  return /^(?:status|isluks|luksdump|benchmark|)$/.test(verb) ? NONE : ["raw_device"];
};

const mount: Rule = (command) => {
  const operands = readOptions(command.args, "t o L U").operands;
  return operands.length === 0 && !has(readOptions(command.args, "t o"), "a all bind move") ? NONE : ["raw_device"];
};

const diskutil: Rule = (command) => {
  const verb = command.args[0]?.value.toLowerCase() ?? "list";
  if (/^(?:list|info|apfs)$/.test(verb) && !/delete|erase/i.test(wordAt(command.args, 1))) return NONE;
  return /^(?:erase|secureerase|zerodisk|randomdisk|partitiondisk|reformat)/.test(verb)
    ? ["disk_format"]
    : ["raw_device"];
};

const hdparm: Rule = (command) => {
  if (anyWord(command.args, /^--(?:security-erase|trim-sector|write-sector|make-bad)/)) return ["disk_format"];
  return hasWord(command.args, "-I -i -g -t -T -tT") ? NONE : ["raw_device"];
};

const nvme: Rule = ({ args: [first] }) => {
  const verb = first?.value ?? "list";
  if (/^(?:format|sanitize|write|write-zeroes|delete-ns)$/.test(verb)) return ["disk_format"];
  return /^(?:list|id-|smart-log|get-|error-log|show-)/.test(verb) ? NONE : ["raw_device"];
};

export const deviceRules: RuleTable = {
  "dd gdd dcfldd": dd,
  "mkfs mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.minix mkdosfs mkntfs mkswap newfs newfs_hfs newfs_msdos blkdiscard pvcreate bcachefs luksformat":
    formats,
  wipefs: wipe,
  badblocks: (command) => (hasWord(command.args, "-w -n -wsv -wv") ? ["disk_format"] : ["raw_device"]),
  "fdisk sfdisk gdisk sgdisk cfdisk": (command) => {
    const options = readOptions(command.args, "o t");
    if (has(options, "Z z zap zap-all delete")) return ["disk_format"];
    return has(options, "l L list p print d dump") || command.args.length === 0 ? NONE : ["raw_device"];
  },
  parted: (command) => {
    const words = wordsOf(command.args);
    if (words.some((word) => /^(?:mklabel|mktable|rm|mkpart|resizepart)$/.test(word))) return ["disk_format"];
    return words.length === 0 ||
      words.every((word) => /^(?:-l|--list|-s|-m|print|free|\/dev\/.*|unit|\w*b)$/i.test(word))
      ? NONE
      : ["raw_device"];
  },
  mount,
  "umount swapon swapoff losetup kpartx partprobe fsck e2fsck xfs_repair tune2fs resize2fs xfs_growfs debugfs modprobe insmod rmmod depmod kexec flashrom fwupdmgr grub-install update-grub efibootmgr eject setterm-dump e2label mdadm dmsetup multipath ntfsfix testdisk photorec partclone clonezilla mkisofs-burn wodim cdrecord ddrescue":
    always("raw_device"),
  cryptsetup,
  "lvremove vgremove pvremove lvreduce lvresize lvcreate vgcreate vgreduce lvextend vgextend lvconvert":
    always("raw_device"),
  "zpool zfs btrfs bcache lvm stratis": askUnlessFirst(
    /^(?:list|status|get|history|iostat|events|version|show)$/,
    "raw_device",
  ),
  diskutil,
  hdparm,
  nvme,
  format: (command) => (anyWord(command.args, /^[a-z]:/i) ? ["disk_format"] : ["raw_device"]),
  "diskpart initialize-disk": always("raw_device"),
  "format-volume clear-disk": always("disk_format"),
};
