import java.io.FileInputStream;
import java.util.List;
import java.util.TreeMap;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;

/** Checks PDF files against PDF/A-2a and PDF/UA-1 with veraPDF. Exit code 1: a file breaks a rule of either. */
public final class ValidatePdf {
  private static final List<PDFAFlavour> FLAVOURS = List.of(PDFAFlavour.PDFA_2_A, PDFAFlavour.PDFUA_1);

  public static void main(String[] files) throws Exception {
    VeraGreenfieldFoundryProvider.initialise();
    var isCompliant = true;
    for (var file : files)
      for (var flavour : FLAVOURS) isCompliant &= check(file, flavour);
    System.exit(isCompliant ? 0 : 1);
  }

  private static boolean check(String file, PDFAFlavour flavour) throws Exception {
    var foundry = Foundries.defaultInstance();
    try (var content = new FileInputStream(file);
        var parser = foundry.createParser(content, flavour);
        var validator = foundry.createValidator(flavour, false)) {
      var result = validator.validate(parser);
      var word = result.isCompliant() ? "compliant" : "NOT COMPLIANT";
      System.out.printf("%s %s: %s, %d assertions%n", file, flavour, word, result.getTotalAssertions());
      var failed = new TreeMap<String, Integer>();
      for (var each : result.getTestAssertions())
        if (each.getStatus() == TestAssertion.Status.FAILED)
          failed.merge(each.getRuleId().getClause() + "-" + each.getRuleId().getTestNumber() + " " + each.getMessage(), 1, Integer::sum);
      failed.forEach((rule, count) -> System.out.printf("  %d times %s%n", count, rule));
      return result.isCompliant();
    }
  }
}
